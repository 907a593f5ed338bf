/** A picture, turned as the phone was held. Browsers before 2022 refuse to be asked to turn it. */
export const bitmapOf = (file: Blob): Promise<ImageBitmap> =>
  createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => createImageBitmap(file));
