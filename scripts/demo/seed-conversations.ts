import { sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import { type DemoMembers, type DemoSite, day, memberOf, minute } from "./community.ts";
import { type DemoConversation, readConversations } from "./content.ts";

export async function seedConversations(
  site: DemoSite,
  members: DemoMembers,
  today: number,
  conversations: DemoConversation[] = readConversations(),
): Promise<void> {
  for (const { between, startedDaysAgo, messages } of conversations) {
    let time = today - startedDaysAgo * day;
    for (const [index, { from, text, minutesAfter, read }] of messages.entries()) {
      const to = between.find((key) => key !== from) ?? from;
      time = Math.min(time + minutesAfter * minute, today - (messages.length - index) * minute);
      site.setClock(time);
      await sendMessage(site, memberOf(members, from), {
        to: memberOf(members, to).id,
        text,
        sendId: `demo-${between.join("-")}-${index}`,
      });
      if (read) await markConversationRead(site, memberOf(members, to), memberOf(members, from).id);
    }
  }
}
