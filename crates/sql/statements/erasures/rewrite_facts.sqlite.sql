-- Writes facts without a person.
UPDATE facts SET data = :datas, items = :items WHERE last_seq IS NULL AND id = :places
