import type { MetaDescriptor } from "react-router";
import type { PageMeta } from "#app/shell/page-meta.ts";
import { pictureUrl } from "#domain/files/picture.ts";
import { excerpt } from "#domain/format.ts";
import type { Post } from "#domain/posts/post.ts";

/** Metadata for search engines and link previews. A draft has only a title. */
export function postMeta(post: Post): PageMeta {
  const { id, title, summary, featuredImage, status, userId, userName } = post;
  const page: PageMeta = { title, description: excerpt(summary, 150), picture: featuredImage, type: "article" };
  if (status !== "active") return page;
  const feed = { path: `/profile/${encodeURIComponent(userId)}/feed.xml`, title: `Stories by ${userName}` };
  return { ...page, path: `/post/${encodeURIComponent(id)}`, feed, also: (site) => articleTags(post, site) };
}

function articleTags(post: Post, site: { name: string; url: string }): MetaDescriptor[] {
  const published = new Date(post.publishedAt ?? post.updatedAt).toISOString();
  const modified = new Date(post.updatedAt).toISOString();
  const author = { "@type": "Person", name: post.userName, url: `${site.url}/profile/${encodeURIComponent(post.userId)}` };
  const likes = { "@type": "InteractionCounter", interactionType: "https://schema.org/LikeAction", userInteractionCount: post.likesCount };
  return [
    { property: "article:published_time", content: published },
    { property: "article:modified_time", content: modified },
    { property: "article:author", content: author.url },
    { name: "author", content: post.userName },
    {
      // The router escapes it for the script element.
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        headline: excerpt(post.title, 110),
        description: excerpt(post.summary, 150),
        ...(post.featuredImage ? { image: [site.url + pictureUrl(post.featuredImage, 1200)] } : {}),
        datePublished: published,
        dateModified: modified,
        author,
        publisher: { "@type": "Organization", name: site.name, url: `${site.url}/` },
        mainEntityOfPage: `${site.url}/post/${encodeURIComponent(post.id)}`,
        wordCount: post.words,
        interactionStatistic: likes,
      },
    },
  ];
}
