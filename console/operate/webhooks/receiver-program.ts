/**
 * A receiver for Node that checks signatures. Its port is that of `telecine webhook listen`. It rejects a secret that is missing or cut off,
 * because Node also makes an HMAC with an empty key, and so could anyone.
 */
export const RECEIVER_PROGRAM = `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
if (!secret.startsWith('whsec_') || key.length < 24)
  throw new Error('WEBHOOK_SECRET is missing or incomplete. Set it to the whole secret: "whsec_" and Base64.')

const MAX_BYTES = 16 * 2 ** 20

/** The body. undefined: it is too large. It is read to its end, so that the caller gets the reply. */
async function bodyOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BYTES) chunks.push(chunk)
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : undefined
}

createServer(async (request, response) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = request.headers
  // A caller that hangs up has sent no body, so its request is rejected.
  const body = await bodyOf(request).catch(() => '')
  if (body === undefined) return response.writeHead(413).end()
  const hmac = createHmac('sha256', key).update(id + '.' + timestamp + '.').update(body)
  const expected = Buffer.from('v1,' + hmac.digest('base64'))
  const matches = (signature) =>
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature, 'latin1'), expected)
  const isRecent = Math.abs(Date.now() / 1000 - timestamp) <= 300
  const isSigned = isRecent && signatures.split(' ').some(matches)
  // An event can come again with the same id. Store the ids that you have handled, and ignore repeats.
  if (isSigned) console.log(id, JSON.parse(body))
  response.writeHead(isSigned ? 204 : 401).end()
}).listen(process.env.PORT ?? 4280)
`;
