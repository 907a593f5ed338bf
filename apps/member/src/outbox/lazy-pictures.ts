import { lazyPart } from '../parts/lazy.tsx';

/** What is said of pictures, loaded after the first screen: few orders have one that is not sent. */

const load = () => import('./picture-lines.tsx');

export const PictureLine = lazyPart(async () => (await load()).PictureLine);
export const PicturesOfOrder = lazyPart(async () => (await load()).PicturesOfOrder);
export const UnsentPictures = lazyPart(async () => (await load()).UnsentPictures);
export const EveryPicture = lazyPart(async () => (await load()).EveryPicture);
