import { CLAIM_ORDER, UNCLAIM_ORDER } from '@munshi/api';
import { ApiError, useService } from '@munshi/web-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';

/** A claim lasts 10 minutes; it is renewed well before. */
const RENEW_MS = 4 * 60_000;

export interface Claims {
  /** Answers the sentence of the refusal where another operator has claimed it. */
  claim(orderId: string): Promise<string | undefined>;
  leave(orderId: string): Promise<void>;
}

/**
 * Claims the open order for the operator who works on it, renews the claim while it stays open, and
 * frees it when it is left.
 */
export function useClaims(openId: string | undefined): Claims {
  const { api } = useService();
  const queries = useQueryClient();
  /** What this window has claimed and not left. */
  const claimed = useRef(new Set<string>());

  const claims = useMemo<Claims>(
    () => ({
      async claim(orderId) {
        const outcome = await api.call(CLAIM_ORDER, { params: { orderId } });
        void queries.invalidateQueries();
        if (outcome.ok) {
          claimed.current.add(orderId);
          return undefined;
        }
        if (outcome.refusal.code === 'claimed') return outcome.refusal.error;
        throw new ApiError(outcome.refusal);
      },
      async leave(orderId) {
        claimed.current.delete(orderId);
        await api.call(UNCLAIM_ORDER, { params: { orderId } });
        void queries.invalidateQueries();
      },
    }),
    [api, queries],
  );

  useEffect(() => {
    const own = claimed.current;
    const renewal = setInterval(() => {
      if (openId !== undefined && own.has(openId)) void claims.claim(openId);
    }, RENEW_MS);
    return () => {
      clearInterval(renewal);
      if (openId !== undefined && own.has(openId)) void claims.leave(openId);
    };
  }, [openId, claims]);
  return claims;
}
