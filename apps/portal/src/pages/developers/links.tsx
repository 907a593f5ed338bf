import { Card } from '@munshi/web-ui';
import BookOpen from 'lucide-react/icons/book-open';
import FileJson from 'lucide-react/icons/file-json';
import FlaskConical from 'lucide-react/icons/flask-conical';
import sdkPage from '../../../../../packages/sdk/README.md?raw';
import { CodeExample, exampleIn } from '../../code-example.tsx';
import { service } from '../../service.ts';
import classes from './developers.module.css';

const DOCS = {
  name: 'Documentation',
  hint: 'From the first order to going live: every endpoint, field and error of the merchant API.',
};

const TESTING = {
  name: 'Testing',
  hint: 'In a sandbox: which digits and accounts end an order how, and the call that moves one.',
};

const OPENAPI = {
  name: 'OpenAPI document',
  hint: 'The same for programs: generate a client from it, or import it into your tools.',
};

/** Where the contract stands; both addresses are the service's own. */
const LINKS = [
  { path: '/docs', icon: BookOpen, words: DOCS },
  { path: '/docs#testing', icon: FlaskConical, words: TESTING },
  { path: '/openapi/merchant.json', icon: FileJson, words: OPENAPI },
] as const;

export function Links() {
  const origin = service.base.replace(/\/portal$/, '');
  return (
    <Card title="The contract">
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
      <h3 className={classes['part']}>With the SDK</h3>
      <p className={classes['hint']}>
        It signs requests, keeps amounts exact, and retries with the same Idempotency-Key.
      </p>
      <CodeExample
        label="To install the SDK"
        code={`npm install ${new URL(`${origin}/sdk/munshi-sdk.tgz`, location.href)}`}
      />
      <CodeExample label="An example with the SDK" code={exampleIn(sdkPage, 'js')} />
    </Card>
  );
}
