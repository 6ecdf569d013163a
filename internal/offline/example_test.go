package offline_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/skilleval/skilleval/internal/offline"
)

func ExampleLexical() {
	client := http.Client{Transport: offline.Lexical()}
	body := `{"model":"builtin:lexical","messages":[{"role":"user","content":"Translate 'good morning' to French"}],"tools":[
		{"type":"function","function":{"name":"translate","description":"Translate a text into another language.","parameters":
			{"type":"object","properties":{"text":{"type":"string"},"target_language":{"type":"string"}},"required":["text","target_language"]}}},
		{"type":"function","function":{"name":"get_weather","description":"Weather forecast for a city."}}]}`
	resp, err := client.Post("http://offline.invalid/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	var reply struct {
		Choices []struct {
			Message struct {
				ToolCalls []struct {
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		fmt.Println(err)
		return
	}
	call := reply.Choices[0].Message.ToolCalls[0].Function
	fmt.Println(call.Name, call.Arguments)
	// Output: translate {"text":"good morning","target_language":"French"}
}
