-- Quotas are checked by the writer, so none of these queries may read templates or values of rows.
CREATE INDEX template_versions_sizes ON template_versions (template_id, size_bytes);
CREATE INDEX batch_rows_cancelled ON batch_rows (batch_id) WHERE state = 'cancelled';
CREATE INDEX batch_rows_tasks ON batch_rows (batch_id, task_no) WHERE task_no IS NOT NULL;
