import { useEffect, useId, useRef, useState } from 'react';
import { COMMANDS } from '../app/commands.ts';
import { lazyComponent } from '../app/lazy-component.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { endedSession, endedText, forgetEndedSession } from './ended-session.ts';
import { ExternalSignIn, useSignInMethods } from './external-sign-in.tsx';
import { hasSignInCode, onSignInCode } from './sign-in-code.ts';
import { forgetSignInError, signInError } from './sign-in-error.ts';
import styles from './sign-in-page.module.css';
import { useSignIn } from './use-session.ts';

/** Few people see it, so it is not a part of the first page. */
const UnknownPerson = lazyComponent(async () => (await import('./unknown-person.tsx')).UnknownPerson);

/** Signs in with the id and the secret of a client, at the external issuer, or automatically with the code of a sign-in link. */
export function SignInPage() {
  const signIn = useSignIn();
  const heading = useId();
  const { mutate } = signIn;
  usePageTitle('Sign in');
  const [failed] = useState(signInError);
  const [ended] = useState(endedSession);
  // In an effect, because React may discard the state of a render that it never shows, and begin again.
  useEffect(() => {
    forgetSignInError();
    forgetEndedSession();
  }, []);
  const secret = useRef<HTMLInputElement>(null);
  // Select a wrong secret, so that typing or pasting replaces it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each error is an object of its own.
  useEffect(() => {
    secret.current?.focus();
    secret.current?.select();
  }, [signIn.error]);
  useEffect(() => onSignInCode((code) => mutate({ code })), [mutate]);

  const isUnknownPerson = failed?.isUnknownPerson === true;
  const hasIssuer = useSignInMethods()?.external !== undefined;
  const [isShown, setShown] = useState(false);
  const by = signIn.variables;
  // The fields are for people without a link, or whose link fails.
  if (hasSignInCode() || (by !== undefined && 'code' in by && signIn.error === null))
    return (
      <main className={styles.page}>
        <div className={styles.card}>
          <img src="/icon.svg" alt="" width="40" height="40" />
          <h1>Signing in…</h1>
        </div>
      </main>
    );
  const fields = (
    <>
      <Field
        label="Client id"
        name="clientId"
        autoComplete="username"
        required
        defaultValue={ended?.clientId ?? 'admin'}
      />
      <Field
        ref={secret}
        label="Secret"
        name="clientSecret"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        required
        aria-invalid={signIn.error !== null || undefined}
      />
      {signIn.error !== null && <ProblemNotice error={signIn.error} />}
      {/* Not named after the field, which is the one that people and programs look for. */}
      <label className={styles.show}>
        <input type="checkbox" checked={isShown} onChange={({ currentTarget }) => setShown(currentTarget.checked)} />
        Show what I type
      </label>
      <details className={styles.hint}>
        <summary>Where to find the id and the secret</summary>
        The first start of the service wrote the id and the secret of the client <code>admin</code> to{' '}
        <code>admin-client.json</code> in its data folder. <code>{COMMANDS.addClient}</code> adds others.
      </details>
      <Button type="submit" variant={isUnknownPerson || hasIssuer ? 'plain' : 'primary'} disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </>
  );

  return (
    <main className={styles.page}>
      <form
        className={styles.card}
        aria-labelledby={heading}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          signIn.mutate({ clientId: String(form.get('clientId')), clientSecret: String(form.get('clientSecret')) });
        }}
      >
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1 id={heading}>{isUnknownPerson ? 'No account here yet' : 'Sign in to Telecine'}</h1>
        {/* Hide this message after a new attempt, which has its own message. */}
        {failed !== undefined &&
          signIn.isIdle &&
          (isUnknownPerson ? <p role="alert">{failed.text}</p> : <ProblemNotice error={new Error(failed.text)} />)}
        {ended !== undefined && signIn.isIdle && <ProblemNotice error={new Error(endedText(ended))} />}
        {isUnknownPerson ? (
          <>
            <UnknownPerson />
            <details className={styles.hint}>
              <summary>Sign in with a client id and a secret</summary>
              <div className={styles.fields}>{fields}</div>
            </details>
          </>
        ) : (
          <>
            {/* Most people of an operator with an issuer have an account there, and no secret. */}
            <ExternalSignIn />
            {hasIssuer && <p className={styles.or}>or as a client</p>}
            {fields}
          </>
        )}
      </form>
    </main>
  );
}
