/**
 * SQL of a new id whose first 48 bits are the milliseconds of an instant, as the service makes them
 * (UUID version 7): Postgres has a function for it from 18 on, and tests run on 15 too.
 */
export const idAt = (instant: string) =>
  `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from ${instant}) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`;
