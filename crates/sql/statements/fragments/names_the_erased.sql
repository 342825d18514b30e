-- Whether a template names somebody who was erased or is being erased.
EXISTS (SELECT 1 FROM erasures e WHERE ({{strpos}}(:template::text, e.quoted) > 0 OR {{strpos}}(:template::text, e.quoted_within) > 0) {{for_key_share}})
