export type PictureTexts = typeof en;
export const en = {
  add: 'Picture, if you like',
  photo: 'Take a photo',
  gallery: 'Gallery',
  name: (number: number) => `Picture ${number}`,
  remove: (name: string) => `Remove ${name}`,
  reading: 'Getting the picture ready',
  unreadable: 'This picture cannot be read. Choose another one.',
  of: (amount: string) => `Picture for ${amount}`,
  sending: (n: number) => (n === 1 ? 'Sending a picture' : `Sending ${n} pictures`),
  waiting: (n: number) =>
    n === 1
      ? 'A picture will be sent when you are online.'
      : `${n} pictures will be sent when you are online.`,
  refused: 'A picture was not accepted',
  tooMany: 'Operations have five pictures of this order already.',
  title: 'Your pictures',
  lead: 'Operations see them.',
  more: 'Add a picture',
  deleted: 'Deleted after a while, as always',
};
