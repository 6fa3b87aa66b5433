/** The version of tus (resumable uploads over HTTP, https://tus.io) that the service speaks. */
export const TUS_VERSION = '1.0.0';

/** The extensions of tus that the service has. @tus/server has no checksums. */
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration'] as const;

/** Header fields of replies about uploads that scripts of web pages need to read. */
export const TUS_REPLY_HEADERS = [
  'Location',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
] as const;

/** The content type of bytes that are appended to an upload. */
export const TUS_BODY = 'application/offset+octet-stream';
