import { MEMBER_WHO_AM_I } from '@munshi/api';
import { createApiClient } from '@munshi/web';
import { signal } from '@preact/signals';
import { render } from 'preact';
import '@munshi/web/tokens.css';

const name = signal('Munshi');
render(<h1>{name}</h1>, document.getElementById('root') as HTMLElement);
createApiClient({ baseUrl: '' })
  .call(MEMBER_WHO_AM_I, {})
  .then((outcome) => {
    if (outcome.ok) name.value = outcome.answer.data.member.name;
  });
