-- A transaction that locks rows writes here first, and hits nothing: no row can be. Citus moves no
-- cell while somebody has written in it (D223).
create table cell_guard (
  held boolean primary key check (false)
);
