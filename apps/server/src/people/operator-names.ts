/**
 * The name that the operator whose id is in this column has now, as SQL. Operators of the
 * environment have no uuid and no row: it is null for them.
 */
export const nameOfOperator = (column: string) => `(
       select name
       from operators
       where operator_id = case when ${column} ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then ${column}::uuid end
     )`;
