/**
 * A receiver for Node that checks signatures. Its port is that of `telecine webhook listen`. A caller that hangs up has sent no
 * body, so its request is rejected like one without a signature.
 */
export const RECEIVER_PROGRAM = `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')

createServer(async (request, response) => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': sent = '' } = request.headers
  const body = await text(request).catch(() => '')
  const right = Buffer.from('v1,' + createHmac('sha256', key).update([id, time, body].join('.')).digest('base64'))
  const isRight = (one) => one.length === right.length && timingSafeEqual(Buffer.from(one, 'latin1'), right)
  const isRecent = Math.abs(Date.now() / 1000 - time) < 300
  const isSigned = isRecent && sent.split(' ').some(isRight)
  if (isSigned) console.log(id, JSON.parse(body))
  response.writeHead(isSigned ? 204 : 401).end()
}).listen(process.env.PORT ?? 4280)
`;
