import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { LoadMore } from "#app/posts/lists/load-more.tsx";
import { usePagedList } from "#app/posts/lists/paged-list.ts";
import { useRoot } from "#app/shell/root-data.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ConfirmFormDialog } from "#app/ui/dialogs/confirm-form-dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pencil, Trash2 } from "#app/ui/icons.tsx";
import { draftTexts } from "#domain/drafts/draft.ts";
import type { UnfinishedWork } from "#domain/drafts/draft-reads.server.ts";
import { cardFallbacks, excerpt, excerptLengths } from "#domain/format.ts";
import { stripMarkdown } from "#domain/posts/post.ts";
import { OwnListHead } from "./own-list-head.tsx";
import { OwnPost, OwnRow, rowButton, rowDanger } from "./own-post-row.tsx";
import type { OwnPosts } from "./own-posts.server.ts";

/** Unfinished work first, then saved drafts (specification §2, Drafts screen). */
export function DraftsTab({ own }: { own: OwnPosts }) {
  const list = usePagedList(own.listing, own.search);
  useRecoveredEntries();
  const { drafts, unfinished } = own.counts;
  const nothing = list.posts.length === 0 && own.unfinished.length === 0;
  return (
    <section className="pt-8 lg:pt-10">
      <OwnListHead
        title="Drafts"
        count={`${drafts} saved ${drafts === 1 ? "draft" : "drafts"}${unfinished > 0 ? ` · ${unfinished} unfinished` : ""}`}
        tab="drafts"
        search={own.search}
        placeholder="Search drafts..."
        newLabel="New Draft"
        isEmpty={nothing && own.search === ""}
      />
      {nothing && <NoDrafts search={own.search} />}
      {own.unfinished.map((work) => (
        <Unfinished key={work.id} work={work} />
      ))}
      {list.posts.map((post) => (
        <OwnPost key={post.id} post={post} tab="drafts" />
      ))}
      <LoadMore list={list} label="Load More Posts" />
    </section>
  );
}

function NoDrafts({ search }: { search: string }) {
  if (search)
    return <EmptyState art="search" title="No drafts found" text="Try adjusting your search terms" heading="h3" className="py-14" />;
  return (
    <EmptyState
      art="write"
      title="No drafts"
      text="Stories you start are saved here until you publish them."
      heading="h3"
      className="py-14"
    />
  );
}

function Unfinished({ work }: { work: UnfinishedWork }) {
  const title = work.title || "Untitled Post";
  const to = work.postId ? `/edit-post/${work.postId}` : `/add-post?draft=${work.id}`;
  return (
    <OwnRow
      picture={work.featuredImage}
      badge={
        <Badge tone="warning" dot="hollow">
          {work.postId ? "Unpublished changes" : "Unfinished"}
        </Badge>
      }
      created={work.createdAt}
      updated={work.updatedAt}
      title={title}
      text={excerpt(stripMarkdown(work.beginning), excerptLengths.own) || cardFallbacks.excerpt}
    >
      <ButtonLink to={to} {...rowButton} icon={Pencil} aria-label={`Continue: ${title}`}>
        Continue
      </ButtonLink>
      <ConfirmFormDialog
        button={{ ...rowDanger, icon: Trash2, "aria-label": `Discard: ${title}`, children: "Discard" }}
        title={work.postId ? "Discard your changes?" : "Discard this story?"}
        text={work.postId ? draftTexts.discardChangesQuestion : draftTexts.discardQuestion}
        confirmLabel="Discard"
        danger
        action={`/drafts/${work.id}/discard`}
        failed={draftTexts.deleteFailed}
      />
    </OwnRow>
  );
}

/** Saves what closed pages left in this browser, then lists it. */
function useRecoveredEntries(): void {
  const { viewer } = useRoot();
  const { revalidate } = useRevalidator();
  const userId = viewer?.id;
  useEffect(() => {
    const save = async () => {
      if (!userId) return;
      // Other pages of members don't load it.
      const { saveAbandonedEntries } = await import("#app/drafts/session/abandoned-entries.ts");
      if ((await saveAbandonedEntries(userId)) > 0) await revalidate();
    };
    save().catch(() => {}); // They stay in the journal.
  }, [userId, revalidate]);
}
