-- One writes at a time here; PostgreSQL has tables for taking turns.
SELECT 1;
