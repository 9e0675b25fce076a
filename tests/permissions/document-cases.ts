import { findFollow, setFollow } from "#domain/follows/follows.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { findReaction, setBookmark, setLike } from "#domain/reactions/reactions.server.ts";
import { addPost } from "../support/posts.ts";
import { type Case, call, extra, freshId, ids, message, type Owner, pictureFor, type Row, viewerOf, world } from "./world.ts";

type Ask = Case["ask"];
type Naming = { by: string; path(list: string): string; id: "documentId" | "rowId" };

/** Every operation on documents has two names. */
const namings: Naming[] = [
  { by: "collections", path: (list) => `databases/main/collections/${list}/documents`, id: "documentId" },
  { by: "tables", path: (list) => `tablesdb/main/tables/${list}/rows`, id: "rowId" },
];

const maren = () => world.maren.id;
const idOf = (name: string) => () => ids[name] as string;
const pub = idOf("pub");
const selfId = async (who: string) => (await viewerOf(who))?.id ?? "";

/** Any error counts as a refusal: without the permission, the document is reported missing or the new one incomplete. */
const asBoolean = (ask: (who: string) => Promise<Response>) => async (who: string) => (await ask(who)).ok;

/** All operations on one collection, under one of its names. */
function operationsOf(list: string, { by, path, id }: Naming) {
  const send = (who: string, method: string, rest: string, body?: object) => call(who, method, `${path(list)}${rest}`, body);
  const of = (owner: Owner, what: string, ask: Ask): Case => ({ by: `${what} of ${by}/${list}`, owner, ask });
  return {
    list: (owner: Owner, idOfDocument: () => string) =>
      of(owner, "list", async (who) => {
        const query = JSON.stringify({ method: "equal", attribute: "$id", values: [idOfDocument()] });
        const response = await send(who, "GET", `?queries[0]=${encodeURIComponent(query)}`);
        return response.ok ? ((await response.json()) as { total: number }).total === 1 : response;
      }),
    read: (owner: Owner, idOfDocument: () => string) => of(owner, "GET", (who) => send(who, "GET", `/${idOfDocument()}`)),
    create: (owner: Owner, data: (who: string) => Promise<object>) =>
      of(owner, "POST", async (who) => send(who, "POST", "", { [id]: "unique()", data: await data(who) })),
    change: (owner: Owner, idOfDocument: () => string, data: object) =>
      of(owner, "PATCH", (who) => send(who, "PATCH", `/${idOfDocument()}`, { data })),
    put: (owner: Owner, idOfDocument: () => string, data: () => object) =>
      of(owner, "PUT", (who) => send(who, "PUT", `/${idOfDocument()}`, { data: data() })),
    putExisting: (owner: Owner, idOfDocument: () => string, data: object) =>
      of(
        owner,
        "PUT",
        asBoolean((who) => send(who, "PUT", `/${idOfDocument()}`, { data })),
      ),
    remove: (owner: Owner, idOfDocument: (who: string) => Promise<string>) =>
      of(owner, "DELETE", async (who) => send(who, "DELETE", `/${await idOfDocument(who)}`)),
    steps: (owner: Owner, idOfDocument: () => string, attribute: string) =>
      ["increment", "decrement"].map((step) => of(owner, step, (who) => send(who, "PATCH", `/${idOfDocument()}/${attribute}/${step}`, {}))),
  };
}

type Rows = [Row, Case[]][];

function posts(naming: Naming): Rows {
  const { list, read, create, change, put, remove, steps } = operationsOf("posts", naming);
  const data = async (who: string) => ({ title: freshId("New"), content: "A lamp.", featuredImage: await pictureFor(who) });
  return [
    // A step of `views` reports a reading; only administrators set the number.
    ["read a published story", [list("maren", pub), read("maren", pub), ...steps("maren", pub, "views")]],
    ["read a draft", [list("maren", idOf("draft")), read("maren", idOf("draft"))]],
    ["write a story", [create("nobody", data)]],
    ["edit a story", [change("maren", pub, { title: "Another title" }), put("maren", pub, () => ({ title: "Another title" }))]],
    ["delete a story", [remove("maren", () => addPost(world, world.maren, { id: freshId("to-go") }))]],
    ["adjust counts", [change("nobody", pub, { views: 7 })].map((each) => ({ ...each, ask: setsViews(each.ask) }))],
  ];
}

/** Others count as readers. */
function setsViews(ask: Ask): Ask {
  return async (who) => {
    const views = () => world.site.db.selectFrom("posts").select("views").where("id", "=", pub()).executeTakeFirstOrThrow();
    await world.site.db.updateTable("posts").set({ views: 0 }).where("id", "=", pub()).execute();
    await ask(who);
    return (await views()).views === 7;
  };
}

function profiles(naming: Naming): Rows {
  const { list, read, create, change, put, remove, steps } = operationsOf("profiles", naming);
  return [
    ["see a profile", [list("maren", maren), read("maren", maren)]],
    [
      "edit a profile",
      [
        create("self", async () => ({ bio: "Hello" })),
        change("maren", maren, { bio: "Hello" }),
        put("maren", maren, () => ({ bio: "Hello" })),
      ],
    ],
    ["nobody", [remove("maren", async () => maren()), ...steps("maren", maren, "userName2")]],
  ];
}

function reactions(table: "likes" | "bookmarks", naming: Naming): Rows {
  const { list, read, create, change, put, remove, steps } = operationsOf(table, naming);
  const one = idOf(table === "likes" ? "like" : "bookmark");
  const set = table === "likes" ? setLike : setBookmark;
  const another = async () => {
    const { site } = world;
    await set(site, world.maren, ids.other as string, true);
    return findReaction(site, world.maren, table, ids.other as string);
  };
  return [
    [table === "likes" ? "read a published story" : "see own bookmarks", [list("maren", one), read("maren", one)]],
    ["like or bookmark", [create("nobody", async (who) => ({ postId: pub(), userId: await selfId(who) }))]],
    ["only its owner", [remove("maren", another)]],
    [
      "nobody",
      [
        change("maren", one, { postId: "any" }),
        put("maren", one, () => ({ postId: "any", userId: world.maren.id })),
        ...steps("maren", one, "none"),
      ],
    ],
  ];
}

function messages(naming: Naming): Rows {
  const { list, read, create, change, putExisting, remove, steps } = operationsOf("messages", naming);
  const received = idOf("received");
  return [
    [
      "read a conversation",
      [
        list("maren", received),
        read("maren", received),
        change("maren", received, { isRead: true }),
        putExisting("maren", received, { isRead: true }),
      ],
    ],
    ["send a message", [create("nobody", async () => ({ receiverId: extra.id, message: "Hello" }))]],
    ["delete a message", [remove("maren", message)]],
    ["nobody", steps("maren", received, "number")],
  ];
}

function conversations(naming: Naming): Rows {
  const { list, read, create, change, put, remove, steps } = operationsOf("conversations", naming);
  const one = idOf("conversation");
  return [
    ["read a conversation", [list("maren", one), read("maren", one)]],
    [
      "nobody",
      [
        create("maren", async () => ({ partnerId: extra.id })),
        change("maren", one, { muted: true }),
        put("maren", one, () => ({ muted: true })),
        remove("maren", async () => one()),
        ...steps("maren", one, "unreadCount"),
      ],
    ],
  ];
}

function follows(naming: Naming): Rows {
  const { list, read, create, change, put, remove, steps } = operationsOf("follows", naming);
  const one = idOf("follow");
  const another = async () => {
    await setFollow(world.site, world.maren, { userId: ids.followed as string, following: true });
    return findFollow(world.site, world.maren, ids.followed as string);
  };
  return [
    ["see own follows", [list("maren", one), read("maren", one)]],
    ["follow a member", [create("nobody", async () => ({ followedId: extra.id }))]],
    ["only its owner", [remove("maren", another)]],
    [
      "nobody",
      [
        change("maren", one, { followedId: "any" }),
        put("maren", one, () => ({ followedId: "any", followerId: world.maren.id })),
        ...steps("maren", one, "none"),
      ],
    ],
  ];
}

function reports(naming: Naming): Rows {
  const { list, read, create, change, putExisting, remove, steps } = operationsOf("reports", naming);
  const one = idOf("profile report");
  return [
    ["see reports", [list("maren", one), read("maren", one)]],
    ["report", [create("maren", async () => ({ kind: "post", subjectId: pub(), reason: "spam" }))]],
    ["handle reports", [change("nobody", one, { status: "pending" }), putExisting("nobody", one, { status: "pending" })]],
    ["nobody", [remove("maren", async () => one()), ...steps("maren", one, "none")]],
  ];
}

/** Objects that these cases need: messages to Maren, and their likes, bookmarks and follows. */
export async function prepareDocuments(): Promise<void> {
  const { site } = world;
  ids.received = (await sendMessage(site, extra, { to: world.maren.id, text: "Hello", sendId: freshId("send") })).id;
  const conversation = site.db.selectFrom("messages").select("conversationId").where("id", "=", ids.received);
  ids.conversation = (await conversation.executeTakeFirstOrThrow()).conversationId;
  await setLike(site, world.maren, pub(), true);
  ids.like = await findReaction(site, world.maren, "likes", pub());
  ids.other = await addPost(world, world.maren, { id: "another-story" });
  ids.followed = world.tobias.id;
}

/** Every operation on documents under both names, with a row in the table or refused to all. */
export function documentCases(): Rows {
  return namings.flatMap((naming) => [
    ...posts(naming),
    ...profiles(naming),
    ...reactions("likes", naming),
    ...reactions("bookmarks", naming),
    ...messages(naming),
    ...conversations(naming),
    ...follows(naming),
    ...reports(naming),
  ]);
}
