import type { PicturePickerProps } from '../order/picture-picker.tsx';
import { lazyPart } from '../parts/lazy.tsx';

/**
 * What is said of pictures, and the way to choose one, loaded after the first screen: few orders
 * have one.
 */

const load = () => import('./picture-lines.tsx');

export const PictureLine = lazyPart(async () => (await load()).PictureLine);
export const PicturesOfOrder = lazyPart(async () => (await load()).PicturesOfOrder);
export const UnsentPictures = lazyPart(async () => (await load()).UnsentPictures);
export const EveryPicture = lazyPart(async () => (await load()).EveryPicture);
export const PicturePicker = lazyPart<PicturePickerProps>(async () => (await load()).PicturePicker);
