import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';

/** Reads the text of an environment variable. Throws an `Error` whose message says which values are allowed. */
export type SettingReader<T> = (text: string) => T;

/** Which texts a setting allows, and how they are read. */
interface Form<T> {
  /** The allowed texts, in words for the configuration page. */
  readonly form: string;
  /** true: the text may contain a password, so messages never repeat it. */
  readonly isSecret?: boolean;
  readonly read: SettingReader<T>;
}

/** An environment variable. The configuration page is generated from these. */
export interface Setting<T, F extends string | undefined = string | undefined> extends Form<T> {
  /** The names of the variable. If several are set, the first one counts. */
  readonly names: readonly [string, ...string[]];
  /** The default text. undefined: without the variable, the setting has no value. */
  readonly fallback: F;
  /** One to three sentences for the operator: what the setting does, its unit, and when to change it. */
  readonly about: string;
}

type Names = string | Setting<unknown>['names'];

const namesOf = (names: Names): Setting<unknown>['names'] => (typeof names === 'string' ? [names] : names);

export const setting = <T>(names: Names, form: Form<T>, fallback: string, about: string): Setting<T, string> => ({
  ...form,
  ...{ names: namesOf(names), fallback, about },
});

export const optional = <T>(names: Names, form: Form<T>, about: string): Setting<T, undefined> => ({
  ...form,
  ...{ names: namesOf(names), fallback: undefined, about },
});

export const readPath: SettingReader<string> = (text) => resolve(text);

/** Parses JSON. Throws an `Error` that does not repeat the text, which may contain secrets. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
}

const readText: SettingReader<string> = (text) => {
  if (text === '') throw new Error('must not be empty');
  return text;
};

/** Reads a whole number from `from` to `to`, both included. */
export const readInteger =
  (from: number, to: number): SettingReader<number> =>
  (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to)
      throw new Error(`must be a whole number from ${from} to ${to}`);
    return value;
  };

export const wholeNumber = (from: number, to: number): Form<number> => ({
  form: `${from} to ${to}`,
  read: readInteger(from, to),
});

export const seconds = (from: number, to: number): Form<number> => ({ form: 'seconds', read: readInteger(from, to) });

/** Creates the form of a setting that allows only these words. */
export const choice = <const T extends string>(...allowed: readonly T[]): Form<T> => ({
  form: `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`,
  read: (text) => {
    const found = allowed.find((a) => a === text);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
    return found;
  },
});

/** Reads a flag: `1`, `true`, `yes` and `on`, or `0`, `false`, `no`, `off` and an empty text. */
const readFlag: SettingReader<boolean> = (text) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off|)$/i.test(text)) return false;
  throw new Error('must be 1 or 0');
};

/** Reads a list of IP addresses and networks (`10.0.0.0/8`). */
export const readNetworks: SettingReader<readonly string[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => isNetwork(part, 4) || isNetwork(part, 6))) return parts;
  throw new Error('must be a list of addresses and networks such as 127.0.0.1,10.0.0.0/8,::1');
};

/** Whether a text is an IP address, with or without a prefix length. An IPv6 zone is not allowed. */
export function isNetwork(text: string, family: 4 | 6): boolean {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  if (isIP(address) !== family) return false;
  if (bits === undefined) return true;
  try {
    // Throws if the prefix length is too large for the address.
    new BlockList().addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
}

/** Reads a list of host names or addresses without ports. IPv6 addresses are in brackets. */
export const readHostNames: SettingReader<readonly string[]> = (text) =>
  text.split(',').map((part) => {
    const name = part.trim().toLowerCase();
    const withPort = `http://${name}:1`;
    if (!URL.canParse(withPort) || new URL(withPort).hostname !== name)
      throw new Error('must be a list of host names such as media.lan,10.0.0.5,[fd00::1]');
    return name;
  });

/** Reads a list of origins as browsers send them in `Origin`, or `*` for all origins. */
export const readOrigins: SettingReader<readonly string[] | '*'> = (text) => {
  if (text.trim() === '*') return '*';
  return text.split(',').map((part) => {
    const origin = part.trim();
    if (!/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new Error(
        'must be * or a list of origins such as https://app.example.org,http://localhost:5173, without a path or a slash at the end',
      );
    return origin;
  });
};

const SIZE_UNITS = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 } as const;

/** Reads a number of bytes with an optional binary unit: `512M`, `2G`. */
export const readSize: SettingReader<number> = (text) => {
  const [, digits, unit = ''] = /^(\d+)\s*([kmgt]?)(?:i?b)?$/i.exec(text) ?? [];
  if (digits === undefined) throw new Error('must be a size such as 500M or 2G');
  return Number(digits) * SIZE_UNITS[unit.toLowerCase() as keyof typeof SIZE_UNITS];
};

/** The units of a time, and their length in seconds. */
export const TIME_UNITS = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Reads a time of at least 1 second: whole seconds, or a number with a unit: `90`, `15m`, `48h`, `30d`. */
export const readTime: SettingReader<number> = (text) => {
  const [, digits, unit = ''] = /^(\d{1,9})\s*([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(digits) * TIME_UNITS[unit as keyof typeof TIME_UNITS];
  if (!(seconds >= 1)) throw new Error('must be a time such as 90, 15m or 48h');
  return seconds;
};

/** Reads an absolute http(s) URL without a query. Removes a trailing slash. */
export const readWebAddress: SettingReader<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Error('must be an address such as https://media.example.org');
  return url.href.replace(/\/+$/, '');
};

/**
 * Reads a URL without a query, which must be https, or http on loopback. Returns it unchanged, with or without a
 * trailing slash.
 */
export const readSecureAddress: SettingReader<string> = (text) => {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : undefined;
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !secure || /[?#]/.test(text) || url.username !== '' || url.password !== '')
    throw new Error('must be an https address such as https://login.example.org (http for loopback only)');
  return text;
};

const readPostgresUrl: SettingReader<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new Error('must be an address such as postgres://telecine:PASSWORD@db.example.org:5432/telecine');
  return text;
};

/** Whether a host is on loopback, so that only this machine can reach it. IPv6 addresses may be in brackets. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);

export const text = (form: string): Form<string> => ({ form, read: readText });
export const size = (form: string): Form<number> => ({ form, read: readSize });
export const flag = (form: string): Form<boolean> => ({ form, read: readFlag });
export const FILE: Form<string> = { form: 'a file', read: readPath };
export const FOLDER: Form<string> = { form: 'a folder', read: readPath };
export const WEB_ADDRESS: Form<string> = { form: 'an http(s) address', read: readWebAddress };
export const POSTGRES_URL: Form<string> = {
  form: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  isSecret: true,
  read: readPostgresUrl,
};

/** Marks a form whose text may contain a password. */
export const secret = <T>(form: Form<T>): Form<T> => ({ ...form, isSecret: true });
