import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Each of Mantine's components brings its own style sheet, so that a page loads those of what it
 * shows: all of them are 32 KB. `npm run dev` loads all, as it bundles Mantine without plugins.
 */
export const componentStyles = (command: 'build' | 'serve'): Plugin => ({
  name: 'component-styles',
  enforce: 'pre',
  transform(code, id) {
    if (command === 'serve') return id.endsWith(OWN) ? withAll(code) : null;
    const name = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1];
    if (name === undefined) return null;
    const styles = fileURLToPath(import.meta.resolve(`@mantine/core/styles/${name}.layer.css`));
    return { code: `import ${JSON.stringify(styles)};\n${code}`, moduleSideEffects: true };
  },
});

const OWN = '/packages/web-ui/src/styles.css';
const withAll = (code: string) =>
  code.replace('@mantine/core/styles/global.layer.css', '@mantine/core/styles.layer.css');
