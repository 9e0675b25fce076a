import { sql } from "kysely";
import { isOutage } from "#platform/database/errors.ts";
import { jsonRows } from "#platform/database/json-rows.ts";
import type { BatchItem } from "#platform/queues/batcher.ts";
import { BudgetExceeded } from "#platform/queues/budget.ts";
import { seconds } from "#platform/time.ts";
import { enforceRateLimit } from "../limits/rate-limits.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, Invalid, isRefusal, NotFound, SignInRequired, TooMany } from "../refusals.ts";
import { requireFeature } from "../settings/features.ts";
import { type Member, type Site, transaction, type Viewer } from "../site.ts";
import { type CheckedMessage, type Message, messageMaxLength, messageTexts, type NewMessage, type SentMessage } from "./message.ts";
import { writeMessages } from "./write-messages.server.ts";

/** Messages per person. */
export const messagesPerMinute = 120;
/** New partners per person. */
export const newPartnersPerHour = 30;

/**
 * Sends a private message. Each conversation numbers its messages without gaps. A receiver who has blocked the sender never gets it
 * (`withheld`), without notice to the sender. @throws SignInRequired for a message of another account, Invalid for a blank or long text,
 * NotFound for an unknown receiver, Conflict when the sender has blocked the receiver, TooMany.
 */
export async function sendMessage(site: Site, viewer: Viewer, { from, to, text, sendId }: NewMessage): Promise<SentMessage> {
  requirePermission(viewer, "send a message");
  requireSameAccount(viewer, from);
  const message = text.trim();
  if (message === "") throw new Invalid("A message can’t be empty");
  if (message.length > messageMaxLength) throw new Invalid(messageTexts.tooLong);
  return queueSend(site, viewer, { to, message, sendId, fileId: null });
}

/**
 * Queues and pages outlive a session. @param from the account that the page was loaded for; pages of older versions name none.
 * @throws SignInRequired if another one has signed in since.
 */
export function requireSameAccount(viewer: Viewer, from: string | null | undefined): void {
  if (viewer && from && from !== viewer.id) throw new SignInRequired(messageTexts.someoneElse);
}

type SendTo = Omit<CheckedMessage, "senderId" | "receiverId"> & { to: string };

/** Text and file must be checked. @throws as `sendMessage`. */
export async function queueSend(site: Site, viewer: Member, { to, ...message }: SendTo): Promise<SentMessage> {
  if (message.sendId === "" || message.sendId.length > 100) throw new Invalid("A message needs its own id");
  return site.memory.sends.add({ senderId: viewer.id, receiverId: to, ...message }, (sends) => sendAll(site, sends));
}

type PendingSend = BatchItem<CheckedMessage, SentMessage>;
type CheckedSend = PendingSend & { withheld: boolean };

/** Checks all sends with one query and saves them in one transaction. Each gets its own answer. */
async function sendAll(site: Site, pending: PendingSend[]): Promise<void> {
  const [sends, repeated] = splitRepeated(pending);
  const states = await readStates(
    site,
    sends.map(({ item }) => item),
  );
  const [toPartners, toNewPartners]: [CheckedSend[], CheckedSend[]] = [[], []];
  for (const [at, send] of sends.entries()) {
    const state = states[at];
    if (state?.sent) send.resolve(state.sent);
    else
      try {
        const { haveConversation, withheld } = checkSend(site, send.item, state);
        limitMessages(site, send.item.senderId);
        (haveConversation ? toPartners : toNewPartners).push({ ...send, withheld });
      } catch (error) {
        send.reject(error);
      }
  }
  await Promise.all([save(site, toPartners), ...toNewPartners.map((send) => saveToNewPartner(site, send))]);
  if (repeated.length > 0) await sendAll(site, repeated);
}

function splitRepeated(sends: PendingSend[]): [PendingSend[], PendingSend[]] {
  const first = new Map(sends.toReversed().map((send) => [`${send.item.senderId} ${send.item.sendId}`, send]));
  const isFirst = (send: PendingSend) => first.get(`${send.item.senderId} ${send.item.sendId}`) === send;
  return [sends.filter(isFirst), sends.filter((send) => !isFirst(send))];
}

/** Uses its own transaction: on PostgreSQL, two that begin several conversations could deadlock. */
async function saveToNewPartner(site: Site, send: CheckedSend): Promise<void> {
  try {
    await limitNewPartners(site, send.item.senderId);
  } catch (error) {
    return send.reject(error);
  }
  await save(site, [send]);
}

async function save(site: Site, sends: CheckedSend[]): Promise<void> {
  if (sends.length === 0) return;
  try {
    const written = await transaction(site, (tx) =>
      writeMessages(
        tx,
        sends.map(({ item, withheld }) => ({ ...item, withheld })),
      ),
    );
    for (const [at, { id, number, createdAt, sendId, senderId, message, fileId }] of written.entries()) {
      // Those with a file need its row; browsers fetch them.
      if (!fileId) cacheMessage(site, { id, number, sendId, senderId, message, isRead: false, createdAt, file: null });
      sends[at]?.resolve({ id, number, createdAt });
    }
  } catch (error) {
    const [first, ...others] = sends;
    if (isOutage(error)) for (const { reject } of sends) reject(error);
    else if (first && others.length === 0) await respondFailed(site, first, error);
    // Only the one that can't be saved may fail.
    else for (const send of sends) await save(site, [send]);
  }
}

/** A moment ago another process may have saved the same send, or the receiver may have deleted their account. */
async function respondFailed(site: Site, { item, resolve, reject }: CheckedSend, error: unknown): Promise<void> {
  const [state] = await readStates(site, [item]);
  if (state?.sent) resolve(state.sent);
  else reject(state?.receiverExists === false ? new NotFound() : error);
}

/** The message of an earlier send with the same id, also if it was deleted since. */
export async function findSent(
  site: Site,
  viewer: Viewer,
  { to, sendId }: Pick<NewMessage, "to" | "sendId">,
): Promise<SentMessage | undefined> {
  requirePermission(viewer, "send a message");
  const [state] = await readStates(site, [{ senderId: viewer.id, receiverId: to, sendId }]);
  return state?.sent;
}

/** For a file, before its bytes are checked. @throws as `sendMessage`, except TooMany. */
export async function requireMessageable(site: Site, viewer: Member, to: string): Promise<void> {
  const send = { senderId: viewer.id, receiverId: to, sendId: "" };
  const [state] = await readStates(site, [send]);
  checkSend(site, send, state);
}

type Pair = Pick<CheckedMessage, "senderId" | "receiverId">;

function checkSend(
  site: Site,
  { senderId, receiverId }: Pair,
  state: SendState | undefined,
): { haveConversation: boolean; withheld: boolean } {
  requireFeature(site, "messages");
  if (receiverId === senderId) throw new Invalid("You can’t message yourself");
  if (!state?.receiverExists) throw new NotFound();
  if (state.hasBlockedReceiver) throw new Conflict(messageTexts.unblockFirst);
  return { haveConversation: state.haveConversation, withheld: state.isBlockedByReceiver };
}

/** `sent`: set for a retry, also of a message that was deleted since. */
type SendState = {
  receiverExists: boolean;
  hasBlockedReceiver: boolean;
  isBlockedByReceiver: boolean;
  haveConversation: boolean;
  sent: SentMessage | undefined;
};
type StateRow = SentMessage & { at: number } & Record<keyof Omit<SendState, "sent">, unknown>;

async function readStates({ db, engine }: Site, sends: (Pair & Pick<CheckedMessage, "sendId">)[]): Promise<SendState[]> {
  const columns = { at: "integer", senderId: "text", receiverId: "text", sendId: "text" } as const;
  const sendRows = sends.map(({ senderId, receiverId, sendId }, at) => ({ at, senderId, receiverId, sendId }));
  const { rows } = await sql<StateRow>`
    select s.at, u.id is not null as "receiverExists",
      exists (select 1 from blocks where "userId" = s."senderId" and "blockedId" = s."receiverId") as "hasBlockedReceiver",
      exists (select 1 from blocks where "userId" = s."receiverId" and "blockedId" = s."senderId") as "isBlockedByReceiver",
      exists (select 1 from participants where "userId" = s."senderId" and "partnerId" = s."receiverId") as "haveConversation",
      coalesce(m.id, d.id) as id, coalesce(m.number, d.number) as number, coalesce(m."createdAt", d."createdAt") as "createdAt"
    from ${jsonRows(engine, columns, sendRows)} as s left join users u on u.id = s."receiverId"
      left join messages m on m."senderId" = s."senderId" and m."sendId" = s."sendId"
      left join deleted_messages d on d."senderId" = s."senderId" and d."sendId" = s."sendId"
    order by s.at`.execute(db);
  return rows.map(({ receiverExists, hasBlockedReceiver, isBlockedByReceiver, haveConversation, id, number, createdAt }) => ({
    ...{
      receiverExists: Boolean(receiverExists),
      hasBlockedReceiver: Boolean(hasBlockedReceiver),
      isBlockedByReceiver: Boolean(isBlockedByReceiver),
      haveConversation: Boolean(haveConversation),
    },
    sent: id === null ? undefined : { id, number, createdAt },
  }));
}

/** Counted in this process only: a row per message would cost as much as the message. */
function limitMessages({ memory }: Site, senderId: string): void {
  try {
    memory.messageBudget.assertBelow(senderId, messagesPerMinute);
  } catch (error) {
    throw error instanceof BudgetExceeded ? new TooMany(messageTexts.tooFast) : error;
  }
  memory.messageBudget.spend(senderId, 1);
}

async function limitNewPartners(site: Site, senderId: string): Promise<void> {
  await enforceRateLimit(site, { kind: "stranger", subject: senderId }, { max: newPartnersPerHour, minutes: 60 }).catch(
    (error: unknown) => {
      throw isRefusal(error) && error.code === "too-many" ? new TooMany(messageTexts.tooManyStrangers) : error;
    },
  );
}

const cachedMessageMs = seconds(30);

/** Caches a message, to send it with its event. Browsers fetch those that aren't cached. */
function cacheMessage({ memory, now }: Site, message: Message): void {
  memory.cachedMessages.set(message.id, { message, until: now() + cachedMessageMs }, 2 * message.message.length);
}

export function findCachedMessage({ memory, now }: Site, id: string): Message | undefined {
  const found = memory.cachedMessages.get(id);
  return found && found.until > now() ? found.message : undefined;
}

export function removeCachedMessages({ memory }: Site, ids: string[]): void {
  for (const id of ids) memory.cachedMessages.delete(id);
}
