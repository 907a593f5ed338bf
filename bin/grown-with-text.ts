import type { AcceptedPlugin } from 'postcss';

/** What browsers begin with; people set it larger. */
const TEXT = 16;
/** Below this a length is a hairline. */
const LEAST = 4;
/** Room between things stays: where text is large, it is the text that needs it. */
const ROOM = /^(padding|margin|gap|row-gap|column-gap|border(?!-radius)|outline|box-shadow)/;

const grown = (value: string): string =>
  value.replace(/(?<![\w.-])(-?\d*\.?\d+)px\b/g, (written, pixels: string) =>
    Math.abs(Number(pixels)) < LEAST ? written : `${Number(pixels) / TEXT}rem`,
  );

/**
 * Style sheets are written in the pixels of text of normal size. Text, what holds it, and the widths
 * at which a layout changes grow with the size that people set in their browser.
 */
export const GROWN_WITH_TEXT: AcceptedPlugin = {
  postcssPlugin: 'grown-with-text',
  Declaration(declaration) {
    if (!ROOM.test(declaration.prop)) declaration.value = grown(declaration.value);
  },
  AtRule: {
    media: (rule) => {
      rule.params = grown(rule.params);
    },
    container: (rule) => {
      rule.params = grown(rule.params);
    },
  },
};
