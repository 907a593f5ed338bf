-- no transaction
-- What is sent for a deposit has two decimals: one whose amount has more is payable like another
-- amount, and must not be given to the same account. There are few.
create index concurrently orders_in_hand_fractional on orders (account_id, amount)
  where amount <> round(amount, 2)
    and order_type = 'Deposit'
    and account_id is not null
    and status in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation',
      'AwaitingMemberPayout', 'ManualReview');
