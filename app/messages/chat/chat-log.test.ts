import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message, MessagePage } from "#domain/messages/message.ts";
import { addNewer, addNext, addOlder, type ChatLog, createLog, readUpTo, removeOne, removeUpTo, withoutDeleted } from "./chat-log.ts";

const message = (number: number): Message => ({
  ...{ id: `m${number}`, number, sendId: `s${number}`, senderId: "ada", message: `${number}` },
  ...{ isRead: false, createdAt: number, file: null },
});
const page = (numbers: number[], parts: Partial<MessagePage> = {}): MessagePage => ({
  ...{ messages: numbers.map(message), more: false, partnerRead: 0, lastNumber: numbers.at(-1) ?? 0 },
  ...parts,
});
const numbers = ({ messages }: ChatLog) => messages.map(({ number }) => number);

describe("the loaded part of a chat", () => {
  test("grows at both ends, each number once", () => {
    let log = createLog(page([4, 5], { more: true }));
    log = addNewer(log, page([6, 7]));
    log = addOlder(log, page([2, 3, 4], { more: true }));
    log = addNewer(log, page([7]));
    expect([numbers(log), log.seen, log.more]).toEqual([[2, 3, 4, 5, 6, 7], 7, true]);
  });

  test("an own message does not hide the partner's previous one", () => {
    let log = addNext(createLog(page([1])), message(3));
    expect([numbers(log), log.seen]).toEqual([[1, 3], 1]);
    log = addNewer(log, page([2, 3]));
    expect([numbers(log), log.seen]).toEqual([[1, 2, 3], 3]);
    expect(addNext(log, message(4)).seen).toBe(4);
  });

  test("a pending response does not restore a deleted message", () => {
    let log = removeOne(createLog(page([1, 2, 3])), 2);
    log = addNewer(log, page([2, 3]));
    expect(numbers(log)).toEqual([1, 3]);
    log = addOlder(removeUpTo(log, 2), page([1, 2]));
    expect(numbers(log)).toEqual([3]);
    expect(withoutDeleted(removeOne(log, 4), page([1, 3, 4]).messages)).toEqual([message(3)]);
  });

  test("messages deleted meanwhile count as seen", () => {
    expect(addNewer(createLog(page([1])), page([2], { lastNumber: 4 })).seen).toBe(4);
    expect(addNewer(createLog(page([1])), page([2], { lastNumber: 9, more: true })).seen).toBe(2);
  });

  test("a read position never decreases", () => {
    const log = readUpTo(createLog(page([1, 2, 3])), 2);
    expect([readUpTo(log, 1).partnerRead, readUpTo(log, 3).partnerRead]).toEqual([2, 3]);
    expect(addNewer(log, page([], { partnerRead: 1 })).partnerRead).toBe(2);
  });
});

test("responses, own sends and deletions in any order end in the server's state", () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ what: fc.constantFrom("write", "own", "delete", "fetch", "late"), at: fc.nat(20) }), { maxLength: 60 }),
      (steps) => {
        let last = 0;
        let server: number[] = [];
        const answer = (after: number) =>
          page(
            server.filter((number) => number > after),
            { lastNumber: last },
          );
        let log = createLog(answer(0));
        let late = answer(0);
        for (const { what, at } of steps) {
          if (what === "write") server.push(++last);
          if (what === "own") {
            server.push(++last);
            log = addNext(log, message(last));
          }
          if (what === "delete" && server.length > 0) {
            const number = server[at % server.length] ?? 0;
            server = server.filter((each) => each !== number);
            log = removeOne(log, number);
          }
          if (what === "fetch") {
            log = addNewer(log, late);
            late = answer(log.seen);
          }
          if (what === "late") log = addNewer(log, late);
        }
        log = addNewer(log, answer(log.seen));
        expect(numbers(log)).toEqual(server);
      },
    ),
  ));
