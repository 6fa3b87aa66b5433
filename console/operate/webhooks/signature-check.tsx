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
          arrived. The key is what follows “whsec_” in the secret, decoded from Base64.
        </p>
        <ul>
          <li>Compare the signatures in constant time.</li>
          <li>Reject a timestamp that is more than five minutes off.</li>
          <li>Ignore an id that you have handled: an event can come again.</li>
        </ul>
        <p>
          Libraries of{' '}
          <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
            Standard Webhooks
          </a>{' '}
          check the signature and the timestamp, and so does this program:
        </p>
      </div>
    }
  >
    <p className={styles.note}>
      Enter the secret by <code>read -rs WEBHOOK_SECRET && export WEBHOOK_SECRET</code>, so that it is not in the
      history of the shell. Then run <code>node receiver.mjs</code>.
    </p>
  </FoldedCommand>
);
