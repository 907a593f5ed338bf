/** What a link has asked its page to open: `<Link href="/members" state={{ open: 'member' }}>`. */
export const isAskedFor = (what: string): boolean =>
  (history.state as { readonly open?: string } | null)?.open === what;
