/** SQL of core's payableAmount, of a row of `orders`. A test compares them. */
export const payableOf = (order: string): string =>
  `case ${order}.order_type
       when 'Deposit' then ceil(${order}.amount * 100) / 100
       else greatest(floor(${order}.amount * 100) / 100, 0.01)
     end`;

/** SQL of core's isSentFor. */
export const isSentFor = (order: string, sent: string): string =>
  `${sent}::numeric in (${order}.amount, ${payableOf(order)})`;
