-- What is told as a code with its parameters, in JSON, beside its English text, which programs of the release before
-- read. NULL where one of them wrote the row.
ALTER TABLE tasks ADD COLUMN message_code TEXT;
ALTER TABLE movements ADD COLUMN message_code TEXT;
ALTER TABLE delivery_attempts ADD COLUMN message_code TEXT;
