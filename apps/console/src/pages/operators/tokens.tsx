import { Button } from '@mantine/core';
import {
  LIST_OPERATOR_TOKENS,
  type OperatorView,
  REVOKE_OPERATOR_TOKEN,
  type TokenView,
} from '@munshi/api';
import { EffectDialog, useList, useWrite, When } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './operators.module.css';

/** The script tokens of an operator, each with what it is for and the button that ends it. */
export function Tokens({ operator }: { readonly operator: OperatorView }) {
  const { operatorId, allowedActions } = operator;
  const { rows } = useList(
    LIST_OPERATOR_TOKENS,
    { params: { operatorId } },
    { watch: ['setting'] },
  );
  const [revoked, setRevoked] = useState<TokenView | null>(null);
  if (rows === undefined || rows.length === 0) return null;
  return (
    <section aria-label="Script tokens" className={classes['tokens']}>
      <h3>Script tokens</h3>
      <ul>
        {rows.map((token) => (
          <li key={token.tokenId}>
            <div>
              <strong>{token.name}</strong>
              <div className="quiet">
                last used {token.lastUsedAt === null ? 'never' : <When at={token.lastUsedAt} />},{' '}
                ends <When at={token.expiresAt} />
              </div>
            </div>
            {allowedActions.includes('revoke-tokens') ? (
              <Button
                variant="subtle"
                color="bad"
                size="compact-sm"
                aria-label={`Revoke ${token.name}`}
                onClick={() => setRevoked(token)}
              >
                Revoke
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {revoked === null ? null : (
        <RevokeToken operatorId={operatorId} token={revoked} onClose={() => setRevoked(null)} />
      )}
    </section>
  );
}

function RevokeToken({
  operatorId,
  token: { tokenId, name },
  onClose,
}: {
  readonly operatorId: string;
  readonly token: TokenView;
  onClose(): void;
}) {
  const { send } = useWrite(REVOKE_OPERATOR_TOKEN);
  return (
    <EffectDialog
      title={`Revoke ${name}`}
      danger
      onClose={onClose}
      onSend={() => send({ params: { operatorId, tokenId } })}
    >
      <p>One script stops working at once.</p>
    </EffectDialog>
  );
}
