import type { FastifyReply } from 'fastify';

/**
 * Sends a picture that was drawn by the service itself. Opened by its address it is a document
 * without rights; no other site can show it.
 */
export const sendPicture = (reply: FastifyReply, webp: Buffer): FastifyReply =>
  reply
    .headers({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    .type('image/webp')
    .send(webp);
