import { createHmac } from 'node:crypto';
import type { DatabaseTarget } from '../config/database-url.ts';
import type { Queryable } from './queryable.ts';

/**
 * The roles of the embedded Postgres: `owner` migrates, `runtime` serves, `retention` removes what is
 * kept no longer.
 */
export interface RoleTargets {
  readonly owner: DatabaseTarget;
  readonly runtime: DatabaseTarget;
  readonly retention: DatabaseTarget;
}

/** The passwords are derived from the superuser's, so that no other has to be stored. */
export function rolesOf(superuser: DatabaseTarget): RoleTargets {
  const as = (user: string) => ({
    ...superuser,
    user,
    password: createHmac('sha256', superuser.password).update(user).digest('base64url'),
  });
  return {
    owner: as('munshi_owner'),
    runtime: as('munshi_app'),
    retention: as('munshi_retention'),
  };
}

/**
 * Creates the roles that are missing, and gives the owner the database with all that is in it. Run
 * by the superuser.
 */
export async function prepareRoles(
  superuser: Queryable,
  { owner, runtime, retention }: RoleTargets,
): Promise<void> {
  const { rows } = await superuser.query<{ owned: boolean }>({
    text: `select d.datdba = r.oid as owned from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = $1
      and (select count(*) from pg_roles where rolname = any($2)) = 2`,
    values: [owner.user, [runtime.user, retention.user]],
  });
  if (rows[0]?.owned === true) return;
  await superuser.query(`do $$
    declare made record;
    begin
      ${[owner, runtime, retention].map(createRole).join('\n')}
      execute format('alter database %I owner to ${owner.user}', current_database());
      execute format('revoke all on database %I from public', current_database());
      execute format('grant connect on database %I to ${runtime.user}, ${retention.user}', current_database());
      for made in select format('alter %s %s owner to ${owner.user}', case c.relkind when 'v' then 'view' else 'table' end, c.oid::regclass) as owned
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
        union all select format('alter function %s owner to ${owner.user}', p.oid::regprocedure) from pg_proc p where p.pronamespace = 'public'::regnamespace
      loop
        execute made.owned;
      end loop;
    end $$`);
}

const createRole = ({ user, password }: DatabaseTarget) =>
  `if not exists (select from pg_roles where rolname = '${user}') then create role ${user} login password '${password}'; end if;`;
