-- The two roles of docs/operations.md, "Two roles", with passwords from the environment.
\getenv owner_password MUNSHI_OWNER_PASSWORD
\getenv app_password MUNSHI_APP_PASSWORD
create role munshi_owner login password :'owner_password';
create role munshi_app login password :'app_password';
create database munshi owner munshi_owner;
revoke all on database munshi from public;
grant connect on database munshi to munshi_app;
