import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { createLog } from "./chat-log.ts";
import { useChatSearch } from "./use-chat-search.ts";

test.each([true, false])("older messages are searched if there are any: %s", (more) => {
  // The first two were deleted.
  const message = { id: "m3", number: 3, sendId: "s3", senderId: "ada", message: "Hello", isRead: false, createdAt: 3, file: null };
  const log = createLog({ messages: [message], more, partnerRead: 0, lastNumber: 3 });
  const Probe = () => String(useChatSearch("ada", "ben", log).more);
  expect(renderToString(createElement(Probe))).toBe(String(more));
});
