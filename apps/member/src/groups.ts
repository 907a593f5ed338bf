/**
 * An account in groups that are read aloud: mobile numbers of Pakistan and Bangladesh by 4, 3 and 4
 * digits, those of India by 5 and 5, others by fours. What is copied has no spaces.
 */
export function groups(account: string): readonly string[] {
  if (/^0\d{10}$/.test(account))
    return [account.slice(0, 4), account.slice(4, 7), account.slice(7)];
  if (/^[6-9]\d{9}$/.test(account)) return [account.slice(0, 5), account.slice(5)];
  return account.match(/.{1,4}/g) ?? [];
}
