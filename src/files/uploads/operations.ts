import type { Caller } from '../../domain/client.ts';
import type { UploadRecord } from '../ports/resumable-uploads.ts';
import type { Precondition } from '../precondition.ts';

export type ResumableUpload = Pick<UploadRecord, 'uploadId' | 'path' | 'sizeBytes' | 'offsetBytes' | 'metadata'>;

export interface CreateUploadRequest {
  readonly uploadId: string;
  /** As the client sent it. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly metadata: string;
  /** For the file that exists at the path: checked now, and again when the file appears. */
  readonly precondition: Precondition;
}

/** The right to change an upload, which one request of all services has at a time. */
export interface UploadLock {
  readonly holder: string;
  /** Throws UPLOAD_LOCKED if another request may have the lock now, because this process was paused. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** Who changes an upload. */
export interface UploadContext {
  readonly caller: Caller;
  readonly lock: UploadLock;
  /** Called when the file has appeared at its path. After a crash, it may be called again. */
  readonly onAppeared: (path: string) => Promise<void>;
}

/** The operations on resumable uploads. A client can use only its own; others are UPLOAD_NOT_FOUND. */
export interface UploadOperations {
  /** The largest file. */
  readonly maxBytes: number;
  /** How long an upload stays after its last use. */
  readonly expirySeconds: number;
  /**
   * Waits until no other request has the upload, and asks the one that has it to end. `onWanted`: called if another
   * request waits for the lock. Throws UPLOAD_LOCKED after a long wait, and the reason of `signal`.
   */
  lock(uploadId: string, signal: AbortSignal, onWanted: () => void): Promise<UploadLock>;
  /** Throws BODY_TOO_LARGE, QUOTA_EXCEEDED, PRECONDITION_FAILED, NO_SPACE, TOO_MANY_UPLOADS, NOT_A_FILE, INVALID_REQUEST. */
  create(context: UploadContext, request: CreateUploadRequest): Promise<ResumableUpload>;
  /** Throws UPLOAD_NOT_FOUND. */
  find(caller: Caller, uploadId: string): Promise<ResumableUpload>;
  /**
   * Like `find`. First makes the file appear if all of its bytes are here, which a crash or a condition has prevented
   * before. Throws PRECONDITION_FAILED.
   */
  settle(context: UploadContext, uploadId: string): Promise<ResumableUpload>;
  /**
   * Appends bytes, and makes the file appear with the last one. Returns the new offset. What arrived before an error of
   * `bytes` is kept. Throws NO_SPACE, STORAGE_FAULT, PRECONDITION_FAILED.
   */
  append(context: UploadContext, uploadId: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Forgets an upload and removes its bytes. A file that has appeared stays. */
  remove(context: UploadContext, uploadId: string): Promise<void>;
}
