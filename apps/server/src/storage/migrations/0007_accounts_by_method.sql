-- A member's accounts of one method, found without looking at those of the others: asked twice for each batch of orders.
create index member_accounts_of_member on member_accounts (member_id, wallet_type);
drop index member_accounts_member;
