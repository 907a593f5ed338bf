import { Button, Modal } from '@mantine/core';
import { OPEN_EVIDENCE } from '@munshi/api';
import { ApiError, Copy, Facts, Loaded, useReturnFocus, useService, When } from '@munshi/web-ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import classes from './evidence.module.css';
import { amountOf, type OrderDetail, type Picture, pictureOf } from './order.ts';

/** One picture. Mounting it opens the picture, which the service records. */
export function PictureDialog({
  order,
  picture,
  onClose,
}: {
  readonly order: OrderDetail;
  readonly picture: Picture;
  onClose(): void;
}) {
  const { api } = useService();
  const { orderId, transactionDigits } = order;
  const account = order.member?.account ?? null;
  const { evidenceId, sentAt, width, height, bytes, sha256 } = picture;
  const title = pictureOf(picture);
  const read = useQuery({
    queryKey: ['picture', evidenceId],
    queryFn: async ({ signal }) => {
      const params = { orderId, evidenceId };
      const outcome = await api.download(OPEN_EVIDENCE, { params, signal });
      if (!outcome.ok) throw new ApiError(outcome.refusal);
      return outcome.content;
    },
    // Opened once for each press: neither kept nor read again while it is open.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  useReturnFocus();
  const [isWhole, setWhole] = useState(false);
  const url = useObjectUrl(read.data);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes['sheet']}>
        {url === undefined ? (
          <Loaded read={read} rows={8}>
            {() => null}
          </Loaded>
        ) : (
          <section
            className={`${classes['frame']} ${isWhole ? classes['whole'] : ''}`}
            aria-label={title}
            tabIndex={isWhole ? 0 : undefined}
          >
            <img
              src={url}
              alt={`What the member sent for ${amountOf(order)}`}
              {...{ width, height }}
            />
          </section>
        )}
        <div className={classes['beside']}>
          {url === undefined ? null : (
            <>
              <p role="status">That you opened it is recorded in the audit log.</p>
              <Button variant="default" size="compact-sm" onClick={() => setWhole(!isWhole)}>
                {isWhole ? 'Fit' : 'Full size'}
              </Button>
            </>
          )}
          <Facts
            facts={[
              ['Amount', amountOf(order)],
              transactionDigits === null ? null : ['Digits', said(transactionDigits)],
              account === null ? null : ['Account', said(account.accountNumber)],
              ['Sent', <When key="at" at={sentAt} />],
              ['Size', `${width} × ${height}, ${Math.ceil(bytes / 1024)} KB`],
              ['SHA-256', <Hash key="hash" value={sha256} />],
            ]}
          />
        </div>
      </div>
    </Modal>
  );
}

const said = (number: string) => <span className="number">{number}</span>;

const Hash = ({ value }: { readonly value: string }) => (
  <Copy value={value} what="SHA-256" mono>
    {value.slice(0, 16)}…
  </Copy>
);

/** An address for what is in memory, for as long as it is shown. */
function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content === undefined) return undefined;
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return url;
}
