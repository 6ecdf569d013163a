package similarity_test

import (
	"context"
	"fmt"

	"github.com/skilleval/skilleval/similarity"
)

func Example() {
	texts := []similarity.Text{
		{ID: "a/SKILL.md", Name: "book_flight", Description: "Books a flight to a city on a given day."},
		{ID: "b/SKILL.md", Name: "flight_booking", Description: "Book flights to a city for a day, with a window seat."},
		{ID: "c/SKILL.md", Name: "water_plants", Description: "Waters the plants of a greenhouse."},
		{ID: "d/SKILL.md", Name: "helper", Description: ""},
	}
	found, err := similarity.Find(context.Background(), texts, similarity.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range found.Pairs {
		fmt.Println(p.A, p.B, p.Level)
		fmt.Println(p.Suggestion)
	}
	for _, t := range found.Short {
		fmt.Println(t.Name, "says too little")
	}
	// Output:
	// book_flight flight_booking duplicate
	// say in each when to use the other: in book_flight "Do not use for …; use flight_booking.", in flight_booking "Do not use for …; use book_flight."
	// helper says too little
}
