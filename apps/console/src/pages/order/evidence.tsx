import { Anchor, Button } from '@mantine/core';
import { amountText } from '@munshi/web';
import { Card, Copy, Reference, When } from '@munshi/web-ui';
import ImageIcon from 'lucide-react/icons/image';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import classes from './evidence.module.css';
import { addedTo, formerDigits, type OrderDetail, type Picture, pictureOf } from './order.ts';
import { PictureDialog } from './picture-dialog.tsx';

const MEMBER_SAID = {
  'member-confirmed': 'confirmed',
  'member-rejected': 'rejected',
  'member-released': 'gave it back',
};

const REASONS = {
  notReceived: 'No payment has come',
  otherAmount: 'Another amount has come',
  otherSender: 'It came from somebody else',
  reversed: 'It was taken back',
  other: 'Something else',
};

type Move = Extract<OrderDetail['timeline'][number], { kind: 'moved' }>;

/** What somebody has said, with when. */
interface Word {
  readonly key: string;
  readonly at: string;
  readonly what: string;
  readonly detail?: ReactNode;
}

const isOfMember = (entry: OrderDetail['timeline'][number]): entry is Move =>
  entry.kind === 'moved' && Object.hasOwn(MEMBER_SAID, entry.trigger);

/** What the customer and the members have said and shown, beside each other. */
export function Evidence({ order }: { readonly order: OrderDetail }) {
  const [opened, setOpened] = useState<Picture | null>(null);
  const { evidence, canReveal } = order;
  const customer = wordsOfCustomer(order);
  const member = wordsOfMember(order);
  if (customer.length + member.length + evidence.length === 0) return null;
  const lines = (pictures: readonly Picture[]) =>
    pictures.map((picture) => (
      <PictureLine
        key={picture.evidenceId}
        picture={picture}
        onOpen={canReveal ? () => setOpened(picture) : undefined}
      />
    ));
  const mayOpen = evidence.some(({ deletedAt }) => deletedAt === null);
  return (
    <Card title="Evidence">
      <div className={classes['sides']}>
        <Side title="What the customer says" words={customer}>
          {lines(evidence.filter(({ memberId }) => memberId === null))}
        </Side>
        <Side title="What the member says" words={member}>
          {lines(evidence.filter(({ memberId }) => memberId !== null))}
        </Side>
      </div>
      {mayOpen ? (
        <p className={`quiet ${classes['recorded']}`}>
          {canReveal
            ? 'Opening a picture is recorded in the audit log under your name.'
            : 'Pictures are opened by support and admins.'}
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
        <p className="quiet">Nothing.</p>
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
  const { sentAt, deletedAt, alsoFor } = picture;
  return (
    <li>
      <div className={classes['what']}>
        <span className={classes['picture']}>
          <ImageIcon size={16} aria-hidden />
          {pictureOf(picture)}
        </span>
        <span className="quiet">
          <When at={sentAt} />
        </span>
      </div>
      {deletedAt === null ? null : (
        <div className="quiet">
          The picture was deleted <When at={deletedAt} />
        </div>
      )}
      {deletedAt === null && onOpen !== undefined ? (
        <Button
          variant="default"
          size="compact-sm"
          mt={4}
          aria-label={`Open: ${pictureOf(picture)}`}
          onClick={onOpen}
        >
          Open
        </Button>
      ) : null}
      {alsoFor.length === 0 ? null : (
        <p className={classes['also']}>
          <TriangleAlert size={16} aria-hidden />
          <span>
            The same picture was sent for{' '}
            {alsoFor.map(({ orderId, orderReference }, at) => (
              <span key={orderId}>
                {at === 0 ? null : ', '}
                <Anchor
                  component={Link}
                  href={`/orders/${orderId}`}
                  inherit
                  c="inherit"
                  underline="always"
                >
                  <Reference reference={orderReference} />
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
            Payer <span className="number">{payerAccount}</span>
          </>
        )
      : said('Digits', formerDigits(order) ?? transactionDigits, 'the digits');
  return [
    ...(orderType === 'Deposit' && sentAt !== null
      ? [{ key: 'paid', at: sentAt, what: 'Says they have paid', detail: proof ?? undefined }]
      : []),
    ...addedTo(order).map((note, number) => ({
      key: `added ${number}`,
      at: note.at,
      ...wordsOfAddition(note, order),
    })),
    ...lateClaims.map((claim) => ({
      key: claim.claimId,
      at: claim.claimedAt,
      what: 'Said so again after the link had expired',
      detail: (
        <>
          {claim.transactionDigits === null ? (
            <>
              Payer <span className="number">{claim.payerAccount}</span>
            </>
          ) : (
            said('Digits', claim.transactionDigits, 'the digits')
          )}
          {claim.status === 'closed' ? (
            <div>{claim.note === null ? 'Claim closed.' : `Claim closed: ${claim.note}`}</div>
          ) : null}
        </>
      ),
    })),
  ];
}

function wordsOfAddition(
  { about, amount, note }: ReturnType<typeof addedTo>[number],
  { transactionDigits, currency }: OrderDetail,
): Pick<Word, 'what' | 'detail'> {
  if (about === 'correctedDigits')
    return {
      what: 'Corrected the digits',
      detail: (
        <>
          {note}, corrected to <Copy value={transactionDigits ?? ''} what="the corrected digits" />
        </>
      ),
    };
  if (about === 'amountSent')
    return { what: 'Sent another amount', detail: amountText(amount ?? '0', currency) };
  return { what: 'Says who paid', detail: <bdi>{note}</bdi> };
}

/** What members say by their actions, in their own words. */
function wordsOfMember({ timeline, ...order }: OrderDetail): readonly Word[] {
  const reference = order.memberTransactionReference;
  return timeline.flatMap((entry, at): readonly Word[] => {
    const key = `step ${at}`;
    if (entry.kind === 'note' && entry.actor.kind === 'member')
      return [{ key, at: entry.at, what: nameOf(entry), detail: entry.note }];
    if (!isOfMember(entry)) return [];
    const what = `${nameOf(entry)} ${MEMBER_SAID[entry.trigger as keyof typeof MEMBER_SAID]}`;
    const reason = entry.reasonCode === null ? null : REASONS[entry.reasonCode];
    const detail =
      entry.trigger === 'member-confirmed' && reference !== null
        ? said('Member’s reference', reference, 'Member’s reference')
        : [reason, entry.note].filter((part) => part !== null).join(': ') || undefined;
    return [{ key, at: entry.at, what, detail }];
  });
}

const nameOf = ({ actor }: { readonly actor: Move['actor'] }) => actor.name ?? 'a member';

const said = (name: string, value: string, what: string): ReactNode => (
  <>
    {name} <Copy value={value} what={what} />
  </>
);
