import { Card } from '@munshi/web-ui';
import BookOpen from 'lucide-react/icons/book-open';
import FileJson from 'lucide-react/icons/file-json';
import sdkPage from '../../../../../packages/sdk/README.md?raw';
import { CodeExample, exampleIn } from '../../code-example.tsx';
import { service } from '../../service.ts';
import classes from './developers.module.css';
import { texts } from './texts.ts';

/** Where the contract stands; both addresses are the service's own. */
const LINKS = [
  { path: '/docs', icon: BookOpen, words: texts.links.docs },
  { path: '/openapi/merchant.json', icon: FileJson, words: texts.links.openapi },
] as const;

export function Links() {
  const origin = service.base.replace(/\/portal$/, '');
  return (
    <Card title={texts.linksTitle}>
      <ul className={classes['links']}>
        {LINKS.map(({ path, icon: Icon, words }) => (
          <li key={path}>
            <Icon size={20} aria-hidden />
            <div>
              <a href={`${origin}${path}`} target="_blank" rel="noreferrer">
                {words.name}
              </a>
              <p className="quiet">{words.hint}</p>
            </div>
          </li>
        ))}
      </ul>
      <h3 className={classes['part']}>{texts.sdkTitle}</h3>
      <p className={classes['hint']}>{texts.sdkHint}</p>
      <CodeExample label={texts.sdkExample} code={exampleIn(sdkPage, 'js')} />
    </Card>
  );
}
