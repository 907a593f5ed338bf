-- The roles of docs/operate/database.md, "Two roles", and of docs/operate/retention.md, with passwords from
-- the environment.
\getenv owner_password MUNSHI_OWNER_PASSWORD
\getenv app_password MUNSHI_APP_PASSWORD
\getenv retention_password MUNSHI_RETENTION_PASSWORD
create role munshi_owner login password :'owner_password';
create role munshi_app login password :'app_password';
create role munshi_retention login password :'retention_password';
create database munshi owner munshi_owner;
revoke all on database munshi from public;
grant connect on database munshi to munshi_app, munshi_retention;
