/** What customers see of a merchant, in its form and where changes of it are listed. */
export const pageFields = {
  displayName: 'Name for customers',
  brandColour: 'Colour of the page',
  logo: 'Logo',
  supportEmail: 'Support e-mail',
  supportPhone: 'Support telephone',
  supportUrl: 'Support page',
} as const;
