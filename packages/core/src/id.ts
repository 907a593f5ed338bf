declare const named: unique symbol;

/**
 * The id of one kind of row: neither another kind's nor a plain text compiles in its place. What a
 * request names is a text until its row is found.
 */
type Id<Kind extends string> = string & { readonly [named]: Kind };

export type OrderId = Id<'order'>;
export type MemberId = Id<'member'>;
export type ClaimId = Id<'claim'>;
export type ApprovalId = Id<'approval'>;
export type DeliveryId = Id<'delivery'>;
export type AlertId = Id<'alert'>;
