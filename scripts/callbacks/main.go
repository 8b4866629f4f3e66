package main

import (
	"net/http"
	"os"
	"time"
)

func main() {
	body, err := os.ReadFile(os.Args[5])
	headers := http.Header{}
	for i, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		headers.Set(name, os.Args[2+i])
	}
	if err != nil || Verify(os.Args[1], headers, body, 5*time.Minute) != nil {
		os.Exit(1)
	}
}
