import { Anchor, Button } from '@mantine/core';
import { Card, Copy, When } from '@munshi/web-ui';
import ImageIcon from 'lucide-react/icons/image';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import classes from './evidence.module.css';
import type { OrderDetail, Picture } from './order.ts';
import { PictureDialog } from './picture-dialog.tsx';
import { texts } from './texts.ts';

type Move = Extract<OrderDetail['timeline'][number], { kind: 'moved' }>;

/** What somebody has said, with when. */
interface Word {
  readonly key: string;
  readonly at: string;
  readonly what: string;
  readonly detail?: ReactNode;
}

const SHOWN_WORDS = texts.evidence.memberSaid;
const isOfMember = (entry: OrderDetail['timeline'][number]): entry is Move =>
  entry.kind === 'moved' && Object.hasOwn(SHOWN_WORDS, entry.trigger);

/** What the customer and the members have said and shown, beside each other. */
export function Evidence({ order }: { readonly order: OrderDetail }) {
  const [opened, setOpened] = useState<Picture | null>(null);
  const { evidence, canReveal } = order;
  const customer = wordsOfCustomer(order);
  const member = wordsOfMember(order);
  if (customer.length + member.length + evidence.length === 0) return null;
  const mayOpen = evidence.some(({ deletedAt }) => deletedAt === null);
  return (
    <Card title={texts.facts.evidence}>
      <div className={classes['sides']}>
        <Side title={texts.evidence.customer} words={customer} />
        <Side title={texts.evidence.member} words={member}>
          {evidence.map((picture) => (
            <PictureLine
              key={picture.evidenceId}
              picture={picture}
              onOpen={canReveal ? () => setOpened(picture) : undefined}
            />
          ))}
        </Side>
      </div>
      {mayOpen ? (
        <p className={`quiet ${classes['recorded']}`}>
          {canReveal ? texts.evidence.recorded : texts.evidence.notForViewers}
        </p>
      ) : null}
      {opened === null ? null : (
        <PictureDialog order={order} picture={opened} onClose={() => setOpened(null)} />
      )}
    </Card>
  );
}

function Side({
  title,
  words,
  children = [],
}: {
  readonly title: string;
  readonly words: readonly Word[];
  readonly children?: readonly ReactNode[];
}) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {words.length + children.length === 0 ? (
        <p className="quiet">{texts.evidence.nothing}</p>
      ) : (
        <ul>
          {words.map(({ key, at, what, detail }) => (
            <li key={key}>
              <div className={classes['what']}>
                <span>{what}</span>
                <span className="quiet">
                  <When at={at} />
                </span>
              </div>
              {detail === undefined ? null : <div className={classes['words']}>{detail}</div>}
            </li>
          ))}
          {children}
        </ul>
      )}
    </section>
  );
}

function PictureLine({
  picture,
  onOpen,
}: {
  readonly picture: Picture;
  readonly onOpen: (() => void) | undefined;
}) {
  const { kind, memberName, sentAt, deletedAt, alsoFor } = picture;
  return (
    <li>
      <div className={classes['what']}>
        <span className={classes['picture']}>
          <ImageIcon size={16} aria-hidden />
          {texts.evidence.pictureOf[kind](memberName)}
        </span>
        <span className="quiet">
          <When at={sentAt} />
        </span>
      </div>
      {deletedAt === null ? null : (
        <div className="quiet">
          {texts.evidence.deleted} <When at={deletedAt} />
        </div>
      )}
      {deletedAt === null && onOpen !== undefined ? (
        <Button
          variant="default"
          size="compact-sm"
          mt={4}
          aria-label={texts.evidence.openOf(texts.evidence.pictureOf[kind](memberName))}
          onClick={onOpen}
        >
          {texts.evidence.open}
        </Button>
      ) : null}
      {alsoFor.length === 0 ? null : (
        <p className={classes['also']}>
          <TriangleAlert size={16} aria-hidden />
          <span>
            {texts.evidence.alsoFor}{' '}
            {alsoFor.map(({ orderId, orderReference }, at) => (
              <span key={orderId}>
                {at === 0 ? null : texts.and}
                <Anchor
                  component={Link}
                  href={`/orders/${orderId}`}
                  inherit
                  c="inherit"
                  underline="always"
                >
                  {orderReference}
                </Anchor>
              </span>
            ))}
          </span>
        </p>
      )}
    </li>
  );
}

/** What the customer says: that they have paid, with what, and what they claimed later. */
function wordsOfCustomer(order: OrderDetail): readonly Word[] {
  const { sentAt, orderType, transactionDigits, payerAccount, lateClaims } = order;
  const proof =
    transactionDigits === null
      ? payerAccount && (
          <>
            {texts.payer} <span className="number">{payerAccount}</span>
          </>
        )
      : said(texts.digits, transactionDigits, texts.digitsOf);
  return [
    ...(orderType === 'Deposit' && sentAt !== null
      ? [{ key: 'paid', at: sentAt, what: texts.evidence.paid, detail: proof ?? undefined }]
      : []),
    ...lateClaims.map((claim) => ({
      key: claim.claimId,
      at: claim.claimedAt,
      what: texts.evidence.claimed,
      detail: (
        <>
          {claim.transactionDigits === null ? (
            <>
              {texts.payer} <span className="number">{claim.payerAccount}</span>
            </>
          ) : (
            said(texts.digits, claim.transactionDigits, texts.digitsOf)
          )}
          {claim.status === 'closed' ? <div>{texts.evidence.claimClosed(claim.note)}</div> : null}
        </>
      ),
    })),
  ];
}

/** What members say by their actions, in their own words. */
function wordsOfMember({ timeline, ...order }: OrderDetail): readonly Word[] {
  const reference = order.memberTransactionReference;
  return timeline.flatMap((entry, at): readonly Word[] => {
    const key = `step ${at}`;
    if (entry.kind === 'note' && entry.actor.kind === 'member')
      return [{ key, at: entry.at, what: nameOf(entry), detail: entry.note }];
    if (!isOfMember(entry)) return [];
    const what = `${nameOf(entry)} ${SHOWN_WORDS[entry.trigger as keyof typeof SHOWN_WORDS]}`;
    const reason = entry.reasonCode === null ? null : texts.evidence.reasons[entry.reasonCode];
    const detail =
      entry.trigger === 'member-confirmed' && reference !== null
        ? said(texts.memberReference, reference, texts.memberReference)
        : [reason, entry.note].filter((part) => part !== null).join(': ') || undefined;
    return [{ key, at: entry.at, what, detail }];
  });
}

const nameOf = ({ actor }: { readonly actor: Move['actor'] }) => actor.name ?? texts.actors.member;

const said = (name: string, value: string, what: string): ReactNode => (
  <>
    {name} <Copy value={value} what={what} />
  </>
);
