-- What members earn of what they confirm, as it is shown to them; it moves no money.
alter table settings add column member_share_basis_points integer;
alter table settings
  add constraint settings_member_share_check
  check (member_share_basis_points between 1 and 10000);
