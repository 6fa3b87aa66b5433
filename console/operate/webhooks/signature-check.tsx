import { FoldedCommand } from '../../ui/folded-command.tsx';
import { RECEIVER_PROGRAM } from './receiver-program.ts';
import styles from './signature-check.module.css';

/** How a receiver checks the signature of a request: the headers, the rule, and a program that does it. */
export const SignatureCheck = () => (
  <FoldedCommand
    summary="How to check a signature"
    label="A receiver for Node"
    command={RECEIVER_PROGRAM}
    copyLabel="Copy the program"
    intro={
      <div className={styles.rule}>
        <p>Each request has three headers:</p>
        <ul>
          <li>
            <code>webhook-id</code>: the id of the event, also when it is sent again
          </li>
          <li>
            <code>webhook-timestamp</code>: when it was sent, in seconds since 1970
          </li>
          <li>
            <code>webhook-signature</code>: <code>v1,</code> and the signature. For a day after a new secret, it has
            two, with a space between them
          </li>
        </ul>
        <p>
          The signature is the HMAC-SHA256 of <code>id.timestamp.body</code> in Base64. The body is the text as it
          arrived. The key is what follows “whsec_” in the secret, decoded from Base64. Libraries of{' '}
          <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
            Standard Webhooks
          </a>{' '}
          check it too, and so does this program:
        </p>
      </div>
    }
  >
    <p className={styles.note}>
      Run it with <code>WEBHOOK_SECRET=whsec_… node receiver.mjs</code>.
    </p>
  </FoldedCommand>
);
