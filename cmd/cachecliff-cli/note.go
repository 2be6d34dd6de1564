package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cachecliff/app/format"
	"cachecliff/app/store"
	"cachecliff/bench"
)

func (c *cli) tagVerb() verb {
	data := ""
	return verb{
		name: "tag", args: "ID [add|remove TAG...]", about: "say under which tags a result is filed, or change them",
		notes: "results --tag TAG lists what has a tag. A tag has up to 40 letters and no comma; quote one of several words. Capitals\n" +
			"make no difference. The tags stand in the file of the result. In place of the ID the run code\n" +
			"or latest will do.",
		options: []option{dataOption(&data)},
		run: func(_ context.Context, args []string) error {
			if len(args) == 0 || len(args) == 2 || len(args) > 2 && args[1] != "add" && args[1] != "remove" {
				return usagef("tag takes a result, and after that add or remove with one or more tags.")
			}
			s, r, err := c.kept(data, args[0])
			if err != nil {
				return err
			}
			if len(args) > 2 {
				r, err = changeTags(s, r.ID, args[1] == "add", args[2:])
			}
			if err != nil {
				return err
			}
			if len(r.Tags) == 0 {
				fmt.Fprintf(c.stdout, "%s has no tag.\n", r.ID)
				return nil
			}
			fmt.Fprintf(c.stdout, "%s: %s\n", r.ID, format.PlainLine(strings.Join(r.Tags, ", ")))
			return nil
		},
	}
}

// changeTags adds tags to a result, or takes them away.
func changeTags(s *store.Store, id string, add bool, typed []string) (bench.Result, error) {
	tags := slices.Clone(typed)
	for i, t := range typed {
		tag, err := store.CleanTag(t)
		if add && err != nil {
			return bench.Result{}, usagef("%q cannot be a tag: one has 1 to %d letters and no comma.", t, store.MaxTag)
		}
		if err == nil { // what cannot be a tag may stand in a file all the same, and be removed
			tags[i] = tag
		}
	}
	return s.Note(id, func(r *bench.Result) {
		for _, t := range tags {
			if add {
				r.Tags = store.WithTag(r.Tags, t)
			} else {
				r.Tags = store.WithoutTag(r.Tags, t)
			}
		}
	})
}

func (c *cli) commentVerb() verb {
	data := ""
	return verb{
		name: "comment", args: "ID [TEXT]", about: "say what is noted on a result, or note something else",
		notes:   "The TEXT takes the place of the comment that is there; an empty one, \"\", removes it.",
		options: []option{dataOption(&data)},
		run: func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return usagef("comment takes a result, and the text if it is to be changed.")
			}
			s, r, err := c.kept(data, args[0])
			if err != nil {
				return err
			}
			if len(args) > 1 {
				r, err = s.Note(r.ID, func(r *bench.Result) { r.Comment = strings.TrimSpace(strings.Join(args[1:], " ")) })
			}
			if err != nil {
				return err
			}
			if r.Comment == "" {
				fmt.Fprintf(c.stdout, "%s has no comment.\n", r.ID)
				return nil
			}
			fmt.Fprintf(c.stdout, "%s: %s\n", r.ID, format.PlainLine(r.Comment))
			return nil
		},
	}
}

// kept opens the store and a result in it that a user names.
func (c *cli) kept(data, name string) (*store.Store, bench.Result, error) {
	s, err := c.library(data)
	if err != nil {
		return nil, bench.Result{}, err
	}
	r, err := load(s, name)
	return s, r, err
}
