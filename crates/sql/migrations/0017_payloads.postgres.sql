-- What each of a bundle is asked, in the order of `jobs`, so that a claim brings them without looking each up; `jobs` has
-- them as well. Nothing where a server wrote the bundle that is older than this step: then they are looked up.
ALTER TABLE bundles ADD COLUMN payloads text[] CHECK (cardinality(payloads) = n);
ALTER TABLE bundles ALTER COLUMN payloads SET STORAGE EXTERNAL;
