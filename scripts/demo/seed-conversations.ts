import { sendMessage } from "#domain/messages/messages.server.ts";
import { type DemoMembers, type DemoSite, day, memberOf, minute } from "./community.ts";
import { readConversations } from "./content.ts";

/** Private letters between members; some end unread. */
export async function seedConversations(site: DemoSite, members: DemoMembers, today: number): Promise<void> {
  for (const { between, startedDaysAgo, messages } of readConversations()) {
    let time = today - startedDaysAgo * day;
    for (const [index, { from, text, minutesAfter, read }] of messages.entries()) {
      const to = between.find((key) => key !== from) ?? from;
      time = Math.min(time + minutesAfter * minute, today - (messages.length - index) * minute);
      site.setClock(time);
      const id = await sendMessage(site, memberOf(members, from), {
        to: memberOf(members, to).id,
        text,
        sendId: `demo-${between.join("-")}-${index}`,
      });
      if (read) await site.db.updateTable("messages").set({ isRead: true }).where("id", "=", id).execute();
    }
  }
}
