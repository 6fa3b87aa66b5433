/** Who has signed in at the issuer, and is unknown to this service. */
export interface SignInPerson {
  /** The identifier at the issuer, with which the operator adds the person. */
  readonly subject: string;
  /** The name by which people know the person. Absent: the issuer sends none. */
  readonly name?: string;
}

/** The cookie that the service sets with a person, for the address of the page. */
export function personCookieAt({ protocol, port }: Pick<Location, 'protocol' | 'port'>): string {
  const prefix = protocol === 'https:' ? '__Host-telecine' : 'telecine';
  return `${prefix}${port === '' ? '' : `-${port}`}-person`;
}

/** The person in the cookies of a page. undefined: they have none. */
export function personIn(cookies: string, name: string): SignInPerson | undefined {
  const pair = cookies.split('; ').find((each) => each.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  try {
    const base64 = pair
      .slice(name.length + 1)
      .replaceAll('-', '+')
      .replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof read !== 'object' || read === null || !('subject' in read) || typeof read.subject !== 'string')
      return undefined;
    return { subject: read.subject, ...('name' in read && typeof read.name === 'string' && { name: read.name }) };
  } catch {
    return undefined;
  }
}

/** The person of the last sign-in. */
export const readPerson = (): SignInPerson | undefined => personIn(document.cookie, personCookieAt(window.location));

/** Deletes the cookie, so that nobody else sees the name. */
export function forgetPerson(): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only over HTTPS.
  document.cookie = `${personCookieAt(window.location)}=; Max-Age=0; Path=/; SameSite=Strict${secure}`;
}
