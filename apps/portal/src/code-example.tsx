import { Copy } from '@munshi/web-ui';
import classes from './code-example.module.css';

/** The first example in a language of a page of the documentation, so that it stands once. */
export function exampleIn(page: string, language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no example in ${language}`);
  return found.trimEnd();
}

/** Code to copy; `wraps` shows a long line whole. */
export function CodeExample({
  label,
  code,
  wraps = false,
}: {
  readonly label: string;
  readonly code: string;
  readonly wraps?: boolean;
}) {
  return (
    <div className={classes['example']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <section className={classes['code']} data-wraps={wraps} tabIndex={0} aria-label={label}>
        {code}
      </section>
      <Copy value={code} what={label}>
        {''}
      </Copy>
    </div>
  );
}
