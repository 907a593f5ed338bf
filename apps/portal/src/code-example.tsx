import { Copy } from '@munshi/web-ui';
import classes from './code-example.module.css';

/** The first example in a language of a page of the documentation, so that it stands once. */
export function exampleIn(page: string, language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no example in ${language}`);
  return found.trimEnd();
}

/** Code to copy. */
export function CodeExample({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    <div className={classes['example']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <section className={classes['code']} tabIndex={0} aria-label={label}>
        {code}
      </section>
      <div className={classes['copy']}>
        <Copy value={code} what={label}>
          {''}
        </Copy>
      </div>
    </div>
  );
}
